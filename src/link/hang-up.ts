import { read } from "node:fs";

/** What serialport's ports on Linux and macOS have in common. */
interface UnixPort {
  fd: number | null;
  readonly isOpen: boolean;
  readonly poller: { once(event: "readable", callback: (error: Error | null) => void): unknown };
  read(buffer: Buffer, offset: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }>;
}

/**
 * Makes an open port of serialport notice that its terminal was hung up, which is what an unplug does. A hung-up
 * terminal gives 0 bytes at each read. serialport 13 takes that for "nothing yet" and asks again at once: no "close"
 * event ever comes and one core is busy (serialport/bindings-cpp#162). It notices an unplug only if it was waiting at that
 * moment, not in the middle of reading. This replaces the port's `read` by one that takes 0 bytes for the end. Does nothing on Windows.
 */
export function noticeHangUp(port: unknown): void {
  if (!isUnixPort(port)) return;
  port.read = (buffer, offset, length) => readSome(port, buffer, offset, length);
}

async function readSome(port: UnixPort, buffer: Buffer, offset: number, length: number) {
  while (port.isOpen && port.fd !== null) {
    const bytesRead = await readNow(port.fd, buffer, offset, length);
    if (bytesRead > 0) return { buffer, bytesRead };
    // With at least one byte asked for and the descriptor not blocking, "nothing yet" is an error, not 0 bytes.
    if (bytesRead === 0) throw new Error("hung up");
    if (port.isOpen) await readable(port);
  }
  throw Object.assign(new Error("Port is not open"), { canceled: true });
}

/** @returns the number of bytes, or -1 when there are none yet */
function readNow(fd: number, buffer: Buffer, offset: number, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, offset, length, null, (error, bytesRead) => {
      if (!error) resolve(bytesRead);
      else if (["EAGAIN", "EWOULDBLOCK", "EINTR"].includes(error.code ?? "")) resolve(-1);
      else reject(error);
    });
  });
}

function readable(port: UnixPort): Promise<void> {
  return new Promise((resolve, reject) => {
    port.poller.once("readable", (error) => (error ? reject(error) : resolve()));
  });
}

function isUnixPort(port: unknown): port is UnixPort {
  return typeof port === "object" && port !== null && "fd" in port && "poller" in port && "read" in port;
}
