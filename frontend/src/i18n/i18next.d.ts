import "i18next";
import type { en } from "./en";

declare module "i18next" {
  /** An address that is not in the catalogue does not compile. */
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}
