import { LANGUAGE_KEY } from "@wavescope/core/i18n/locale";

/** Shows the page in another language from now on; empty: in the browser's (LG1). */
export function chooseLanguage(language: string): void {
  if (language) localStorage.setItem(LANGUAGE_KEY, language);
  else localStorage.removeItem(LANGUAGE_KEY);
  location.reload(); // texts are read where modules begin
}
