/** Requests the texts of the reader's language, where it is another than English. A page awaits them before its first text (LG3). */
import { addTranslation } from "./i18n";
import { LANGUAGE } from "./locale";

/** Where they cannot be loaded, the page is in English. */
export const translated: unknown =
  LANGUAGE === "de" &&
  import("./de").then(
    ({ de }) => {
      document.documentElement.lang = LANGUAGE;
      addTranslation(de);
    },
    () => null,
  );
