import { Menu } from "@mantine/core";
import {
  IconColorPicker,
  IconCopy,
  IconCopyPlus,
  IconFocus2,
  IconFocusCentered,
  IconLink,
  IconMapPin,
  IconReceipt,
  IconTrash,
  IconVectorOff,
} from "@tabler/icons-react";
import { type ComponentType, useEffect, useState } from "react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { KIND_NAMES } from "@wavescope/viewer/annotate/draw/labels";
import { canCombine, combine, duplicate } from "@wavescope/viewer/annotate/selection";
import { whiteOf } from "@wavescope/viewer/light/adjustments";
import { lightOf } from "@wavescope/viewer/light/light";
import { centreOn } from "@wavescope/viewer/navigation/moves";
import { hundredths, point } from "@wavescope/core/geometry/shape";
import { jump } from "../../microscope/browserHistory";
import type { PartProps } from "../../microscope/parts";
import { useAnnotations } from "../../microscope/useAnnotations";
import { notify } from "../../ui/notice";
import { combinations } from "../annotate/combining";
import { showObject } from "../annotate/showObject";
import { hasStains } from "../light/stainChoice";
import { showCamera } from "../exporting/exporting";
import { copyLink, copyPicture } from "../picture/commands";
import { followMenuRequests, type Place } from "./requests";
import { t } from "@wavescope/core/i18n/i18n";

interface Entry {
  readonly label: string;
  readonly icon: ComponentType<{ size?: number | string }>;
  readonly run: () => void;
}

/** A right click, a long press or the menu key: what can be done at that place of the picture. */
export function PictureMenu(props: PartProps) {
  const { microscope } = props;
  const annotations = useAnnotations(microscope);
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(
    () =>
      followMenuRequests(microscope.viewer.element, (asked) => {
        if (asked.touch && annotations.store.state.getState().tool !== null) return; // the finger draws
        annotations.interaction.selectAt(asked);
        setPlace(asked);
      }),
    [microscope, annotations],
  );
  if (!place) return null;
  const groups = [ofSelection(annotations, place), ofPlace(props, annotations, place)].filter(
    ({ entries }) => entries.length > 0,
  );
  return (
    <Menu
      opened
      onClose={() => setPlace(null)}
      position="bottom-start"
      offset={2}
      trapFocus
      returnFocus
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <span
          role="button"
          tabIndex={-1}
          aria-label={t("annotate.pictureMenu")}
          style={{ position: "fixed", left: place.clientX, top: place.clientY }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={t("annotate.pictureMenu")} data-testid="picture-menu">
        {groups.map(({ title, entries }, i) => (
          <div key={title} role="group" aria-label={title}>
            {i > 0 && <Menu.Divider />}
            <Menu.Label>{title}</Menu.Label>
            {entries.map(({ label, icon: Icon, run }) => (
              <Menu.Item key={label} leftSection={<Icon size={16} />} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface Entries {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** What can be done with the selected annotations. */
function ofSelection(annotations: Annotations, place: Place): Entries {
  const { store, layer, interaction } = annotations;
  const { selected, editable } = store.state.getState();
  const content = selected.length > 0 ? store.get(selected[0]!) : null;
  if (!content) return { title: "", entries: [] };
  const removeCorner = interaction.cornerRemover(place);
  const mayChange = selected.every((id) => store.mayChange(id));
  const entries: Entry[] = [
    { label: t("annotate.zoomToIt"), icon: IconFocus2, run: () => showObject(annotations, selected[0]!, true) },
    ...(removeCorner ? [{ label: t("annotate.removeCorner"), icon: IconVectorOff, run: removeCorner }] : []),
    ...combinations
      .filter(({ how }) => canCombine(store, how))
      .map(({ how, title, icon }) => ({ label: title, icon, run: () => void combine(store, how) })),
    ...(editable
      ? [
          {
            label: t("annotate.duplicate"),
            icon: IconCopyPlus,
            run: () => duplicate(store, layer.slidePoint(place).pixel),
          },
        ]
      : []),
    ...(mayChange ? [{ label: t("annotate.deleteSelected"), icon: IconTrash, run: () => store.remove(selected) }] : []),
  ];
  const name = content.name || KIND_NAMES[content.shape.kind];
  return { title: selected.length === 1 ? name : t("common.annotationCount", { count: selected.length }), entries };
}

/** What can be done with the place itself. */
function ofPlace({ microscope, manifest }: PartProps, { store, layer }: Annotations, place: Place): Entries {
  const { x, y } = layer.slidePoint(place);
  const light = lightOf(microscope);
  const setWhite = (): void => {
    const ratio = devicePixelRatio;
    const colour = light.stored(place.x * ratio, place.y * ratio);
    const white = colour && whiteOf(colour);
    if (white) light.set({ ...light.state.getState().adjustments, white });
    else notify(t("light.tooDark"));
  };
  const entries: Entry[] = [
    {
      label: t("annotate.centreHere"),
      icon: IconFocusCentered,
      run: () => jump(microscope, () => centreOn(microscope, x, y)),
    },
    ...(store.state.getState().editable
      ? [
          {
            label: t("annotate.annotateHere"),
            icon: IconMapPin,
            run: () => void store.create(point("point", hundredths(x), hundredths(y)), microscope.plane),
          },
        ]
      : []),
    ...(hasStains(manifest) ? [{ label: t("annotate.pickBackgroundHere"), icon: IconColorPicker, run: setWhite }] : []),
    { label: t("picture.copyLink"), icon: IconLink, run: () => void copyLink(microscope) },
    { label: t("picture.copy"), icon: IconCopy, run: () => void copyPicture(microscope) },
    ...(manifest.preview ? [] : [{ label: t("receipt.make"), icon: IconReceipt, run: () => showCamera("receipt") }]),
  ];
  return { title: t("keyboard.picture"), entries };
}
