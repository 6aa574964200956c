/** What a picture of the view has beside the pixels of the slide, and as what file. */
export const PICTURE_PARTS = ["scale_bar", "name", "magnification", "annotations"] as const;
export type PicturePart = (typeof PICTURE_PARTS)[number];
export type PictureFormat = "png" | "tiff";
