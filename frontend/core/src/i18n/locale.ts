/** The language of the catalogue, in which numbers and lists are written too. Dates follow the browser (app/ui/dates.ts). */
export const LOCALE = "en";
