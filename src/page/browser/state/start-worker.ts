/** Starts the worker, whose program lies in the page itself: the page is one file. */
export function startWorker(): Worker {
  const program = document.getElementById("worker")?.textContent ?? "";
  const address = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  return new Worker(address);
}
