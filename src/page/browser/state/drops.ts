/** A log that is dropped onto the page is shown. */
import { openLog } from "./run.ts";

export function listenToDrops(): void {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) openLog(file.name, file);
  });
}
