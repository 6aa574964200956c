"""Descriptions and examples of path and query parameters, by name, or by operation and name."""

from __future__ import annotations

from typing import Any, NamedTuple

from wavescope.channels.mixing import FORM


class Text(NamedTuple):
    """What a parameter means, and a value that it may have."""

    description: str
    example: Any


DEEP_ZOOM = ("get_deep_zoom", "get_deep_zoom_tile", "get_xyz_tile")
SEARCHED = ("studies", "series", "instances", "series_of_study", "instances_of_study", "instances_of_series")
DICOM_IMAGES = tuple(
    f"get_dicom_{name}"
    for name in (
        "rendered_study",
        "rendered_series",
        "rendered_instance",
        "thumbnail_of_study",
        "thumbnail_of_series",
        "thumbnail_of_instance",
        "rendered_frame",
        "frame_thumbnail",
    )
)
PARAMETERS: dict[str, Text] = {
    # -- ids
    "slide_id": Text("the id of a slide", "biopsy-7"),
    "digest": Text("the digest of a version of the slide, as in its manifest", "9f2c4a7be1d05583"),
    "comment_id": Text("the id of a comment, chosen by the client that adds it", "5d2c7a10"),
    "annotation_id": Text("the id of an annotation, chosen by the client that creates it", "3f1b9c52"),
    "other_id": Text("the id of the right slide", "biopsy-7-ki67"),
    "overlay_id": Text("the id of an overlay, that of the job that imported it", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "case_id": Text("the id of a case", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "tour_id": Text("the id of a tour", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "quiz_id": Text("the id of a quiz", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "attempt_id": Text("the id of an attempt at a quiz", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "question_id": Text("the id of a question of the quiz", "q1"),
    "job_id": Text("the id of a job", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "upload_id": Text("the id of an upload that can be resumed", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "export_id": Text("the id of an export", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "session_id": Text("the id of a live session", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "recording_id": Text("the id of a recording", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "link_id": Text("the id of a share link", "0f8d4a1c9e7b42d3"),
    "token_id": Text("the id of a personal token", "0f8d4a1c9e7b42d3"),
    "user_id": Text("the id of a user", "0f8d4a1c9e7b42d3"),
    "group_id": Text("the id of a group", "0f8d4a1c9e7b42d3"),
    "launch_id": Text("the id of a launch that waits for a choice", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "platform_id": Text("the id of a learning platform", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    # -- blocks and pixels
    "z": Text("the focal plane; 0 is the first", 0),
    "c": Text("the channel group; 0 of a slide of RGB or grey", 0),
    "level": Text("the level; 0 is full resolution, each further one half as wide and high", 0),
    "x": Text("the tile column", 0),
    "y": Text("the tile row", 0),
    "get_index_page.page": Text("the page: page_y * ceil(tiles_x / 32) + page_x", 0),
    "from": Text("the first layer", 0),
    "to": Text("the layer after the last; all layers if absent", 1),
    "layers": Text("how many layers are decoded; all if absent", 2),
    "kind": Text("the format of the picture", "png"),
    "width": Text("the width in pixels of the level", 512),
    "height": Text("the height in pixels of the level", 512),
    "format": Text("the format of the answer", "png"),
    "max": Text("the longer side in pixels at most, 16 to 2048", 256),
    "channels": Text(f"of a slide of several channels: {FORM}; the default mix if absent", "0,3:FF8000:10-200"),
    "fill": Text("what lies outside of the slide", "background"),
    **{
        f"{operation}.{side}": Text(f"the {edge} edge in pixels of level 0; outside of the slide only with `fill`", 0)
        for operation in ("get_region", "estimate_export", "create_export")
        for side, edge in (("x", "left"), ("y", "upper"))
    },
    **{
        f"{operation}.z": Text("the focal plane; the middle one if absent", 0)
        for operation in ("get_region", "estimate_export", "create_export", *DEEP_ZOOM)
    },
    **{
        f"get_first_view.{name}": Text(text, example)
        for name, text, example in (
            ("width", "the width of the view in pixels of the level; without `level`, in device pixels", 1876),
            ("height", "its height", 1004),
            ("level", "the level that is drawn; the whole slide is in view if absent", 0),
            ("x", "the left edge in pixels of level 0; it may lie outside of the slide", 12000),
            ("y", "the upper edge in pixels of level 0", 9000),
            ("z", "the focal plane; the middle one if absent", 0),
            ("part", "which part of the blocks: of 3 parts, part 1 has all layers of the blocks 1, 4, 7 and so on", 0),
            ("parts", "in how many parts the blocks are dealt out, 1 to 6", 3),
        )
    },
    "scale": Text("device pixels per level-0 pixel that a view must reach", 0.5),
    "scale_bar": Text("whether a strip with a scale bar is added to a PNG or JPEG", False),
    "estimate_export.name": Text("whether the slide's title is written in that strip", False),
    "create_export.name": Text("whether the slide's title is written in that strip", False),
    "magnification": Text("what is written in that strip as the magnification", "20×"),
    "annotations": Text("whether the annotations are drawn on a PNG or JPEG", False),
    "create_archive.annotations": Text("whether the annotations are in the file, without the names of authors", False),
    # -- protocols of other software
    "api": Text("the version of the IIIF Image API", "3"),
    "region": Text("full, square, x,y,w,h or pct:x,y,w,h", "0,0,2048,2048"),
    "size": Text("max, `w,`, `,h`, pct:n, w,h or !w,h", "512,512"),
    "rotation": Text("degrees clockwise, with ! mirrored before", "0"),
    **{
        f"{operation}.{name}": Text(text, example)
        for operation in ("get_iiif_picture", "get_iiif_plane_picture")
        for name, text, example in (
            ("quality", "default, color, gray or bitonal", "default"),
            ("format", "jpg, png, webp or avif", "jpg"),
        )
    },
    "overlap": Text("pixels that a tile shares with its neighbours, 0 or 1", 0),
    "column": Text("the tile column", 0),
    "row": Text("the tile row", 0),
    "suffix": Text("the same as the kind", "png"),
    "zoom": Text("0: the whole slide in one tile; each further one twice as wide and high", 0),
    "get_deep_zoom_tile.level": Text("the level; 0 is one pixel, each further one twice as wide and high", 0),
    **{
        f"get_ome_zarr_chunk.{name}": Text(text, 0)
        for name, text in (
            ("c", "the channel group; 0 of a slide of RGB or grey"),
            ("x", "the chunk column"),
            ("y", "the chunk row"),
        )
    },
    "study": Text("the UID of a study: a slide", "2.25.211577223104838029173911882525886731520"),
    "series": Text("the UID of its series", "2.25.211577223104838029173911882525886731776"),
    "instance": Text("the UID of an instance: a level", "2.25.211577223104838029173911882525886732032"),
    "frames": Text("numbers of frames from 1, separated by commas", "1,2"),
    "viewport": Text("WIDTH,HEIGHT that the picture fits into", "512,512"),
    **{f"{name}.quality": Text("changes nothing: a warning says so", "80") for name in DICOM_IMAGES},
    "window": Text("changes nothing: a warning says so", "128,256,linear"),
    "iccprofile": Text("changes nothing: a warning says so", "no"),
    "includefield": Text("attributes that results say too, by keyword or tag; or all", "all"),
    "fuzzymatching": Text("not supported: it adds a warning", "false"),
    "offset": Text("how many results are passed over", "0"),
    **{f"search_dicom_{name}.limit": Text("how many results at most, 1000 if more", "100") for name in SEARCHED},
    # -- lists
    "search": Text("words that a title contains", "liver"),
    "page": Text("which page, from 1", 1),
    "per_page": Text("how many slides a page has", 50),
    "label": Text("only slides with this label, NAME:VALUE; may be repeated", ["stain:HE"]),
    "sort": Text("the order", "newest"),
    "slide": Text("only those of this slide", "biopsy-7"),
    "case": Text("only those of this case", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"),
    "create_tour.slide": Text("the slide that the tour belongs to", "biopsy-7"),
    "create_tour.case": Text(
        "the case that the tour belongs to, if it belongs to no slide", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"
    ),
    "create_quiz.slide": Text("the slide that the quiz belongs to", "biopsy-7"),
    "create_quiz.case": Text(
        "the case that the quiz belongs to, if it belongs to no slide", "0f8d4a1c9e7b42d3a6c5b1e2f3a49d80"
    ),
    "list_choices.kind": Text("what is listed", "slides"),
    "chunk": Text("which chunk, from 0", 0),
    # -- annotations
    "read_annotations.z": Text("only objects of this focal plane", 0),
    "list_comments.since": Text("only comments changed after this sequence number", 12),
    "list_comments.limit": Text("how many comments at most", 1000),
    "find_slide_people.search": Text("what a name, or a word of it, begins with", "ann"),
    "read_annotations.since": Text("only objects changed after this sequence number", 120),
    "read_annotations.limit": Text("how many objects at most", 1000),
    "read_annotations.format": Text("the format, in place of the Accept header", "geojson"),
    "import_annotations.format": Text("the format, in place of the Content-Type header", "geojson"),
    "bbox": Text("x,y,width,height in pixels of level 0: only objects that touch it", "0,0,1000,800"),
    # -- uploads and jobs
    "filename": Text("the name of the file; only its last component is used", "biopsy-7.svs"),
    "title": Text("the title of the slide; the name of the file if absent", "Biopsy 7"),
    "id": Text("the id of the slide; made of the title if absent", "biopsy-7"),
    "quality": Text("the image quality: a preset or a PSNR such as 40dB", "visual"),
    "channel_quality": Text("the quality of a file of channels, in place of `quality`", "0.3sigma"),
    "time": Text("the time point that is imported, from 1, of a file that has several", 1),
    "start": Text("whether the job starts at once; else it is held", True),
    "ask_if_stored": Text("whether the job is held if a slide of the same file exists", False),
    "again": Text("whether the file is ingested even if a slide of the same file and quality exists", False),
    "keep_original": Text("whether the file is stored beside the slide (ST90); the setting if absent", False),
    "overlay_of": Text("the slide to which the shapes of the file are added (OV25)", "biopsy-7"),
    "score": Text("the measurement or column that is the score of a shape (OV3)", "Detection probability"),
    "content": Text("what the numbers of an image file are: values, labels or shapes (OV66)", "labels"),
    "element": Text("the element of an archive with a folder of SpatialData (OV62)", "shapes/cells"),
    "transform": Text("applied to coordinates of shapes: scale; scale,x,y; or a,b,c,d,e,f (OV26)", "0.5"),
    "v": Text("the digest of the overlay, so that a cache stores it", "9f2c4a7be1d05583"),
    "get_overlay_shapes.region": Text("x,y,width,height in pixels of level 0; all shapes if absent", "0,0,2048,2048"),
    "get_overlay_shapes.format": Text("the format", "geojson"),
    "get_overlay_raster.region": Text("x,y,width,height in pixels of level 0", "0,0,2048,2048"),
    "get_overlay_raster.level": Text("the level of the raster; 0 has all its pixels", 0),
    "get_overlay_raster.format": Text("npy, or TIFF", "tiff"),
    "post_overlay.name": Text("the name of the overlay; that of the file if absent", "Nuclei"),
    "replace": Text("the slide that gets a new version", "biopsy-7"),
    # -- accounts
    "get_identity_image.name": Text("the name of the image", "label"),
    "code": Text("the code of the session, from its host", "ABCD2345"),
    "next": Text("the page of this service to return to", "/slides/biopsy-7"),
    "finish_oidc.code": Text("the code that the provider gave", "SplxlOBeZQQYbYS6WxSbIA"),
    "finish_oidc.error": Text("why the provider refused, instead of a code", "access_denied"),
    "state": Text("the state that this service gave the provider", "af0ifjsldkj"),
    "iss": Text("the issuer of the platform", "https://moodle.example"),
    "login_hint": Text("who is launched, as the platform calls the person", "77"),
    "client_id": Text("the id of this service at the platform", "wavescope"),
    "lti_message_hint": Text("what is launched, as the platform calls it", "3"),
    "openid_configuration": Text("the address of the platform's metadata", "https://moodle.example/configuration"),
    "invitation": Text("the secret of an invitation", "wsl_SplxlOBeZQQYbYS6WxSbIA"),
    "registration_token": Text("what the platform expects with the registration", "SplxlOBeZQQYbYS6WxSbIA"),
    "edge_status.since": Text("only samples after this number", 120),
    # -- the audit log
    "before": Text("only entries before this sequence number", 5000),
    "limit": Text("how many entries at most", 100),
    "action": Text("only entries of this action", "uploaded"),
    "name": Text("only entries of users whose name contains this", "vera"),
    "since": Text("only entries from this time on", "2026-01-01T00:00:00Z"),
    "until": Text("only entries before this time", "2026-02-01T00:00:00Z"),
}


def describe_parameter(operation: str, parameter: dict[str, Any]) -> None:
    """Adds the description and the example that a parameter lacks."""
    name = parameter["name"]
    text = PARAMETERS.get(f"{operation}.{name}") or PARAMETERS.get(name)
    if text is not None:
        parameter.setdefault("description", text.description)
        parameter.setdefault("example", text.example)
