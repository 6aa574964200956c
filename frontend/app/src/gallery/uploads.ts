/** The code of uploads: few who open the gallery send a file, and none before they see it. */
export const uploads = () => import("../state/uploads");

export function sendFiles(files: readonly File[]): void {
  void uploads().then((sending) => sending.sendFiles(files));
}
