/** Imported before every module that reads a text: it holds these up until the texts are in the language of the reader (LG3). */
import { translated } from "@wavescope/core/i18n/translated";

await translated;
