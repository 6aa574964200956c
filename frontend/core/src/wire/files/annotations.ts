/** The annotations of an export (SH1). */
import { AnnotationList as isAnnotationList } from "../generated/laterValidators";
import type * as Wire from "../generated/types";
import { checked, parsedJson } from "../http/contract";
import type { SlideFolder } from "./folder";

const MAX_BYTES = 64 << 20;

/** Throws ContractError, CorruptError, OfflineError. */
export async function annotationsIn(folder: SlideFolder): Promise<Wire.AnnotationList> {
  const bytes = await folder.whole("annotations.json", MAX_BYTES);
  const source = `${folder.name} annotations.json`;
  const list = checked(parsedJson(new TextDecoder().decode(bytes), source), isAnnotationList, source);
  return { ...list, more: false, editable: false };
}
