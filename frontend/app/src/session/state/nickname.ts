/** The name under which this browser joins sessions. */
const NICKNAME = "wavescope.nickname";

export function rememberedName(): string {
  try {
    return localStorage.getItem(NICKNAME) ?? "";
  } catch {
    return "";
  }
}

export function rememberName(name: string): void {
  try {
    localStorage.setItem(NICKNAME, name);
  } catch {
    return; // a browser may forbid storage
  }
}
