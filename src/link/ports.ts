import { readdirSync } from "node:fs";
import { SerialPort } from "serialport";
import { escapeControls, quote } from "../errors.ts";
import { causeText } from "./errors.ts";
import { PORT_KINDS, type PortKind, SHARED_SERIAL_NUMBERS, USB_IDS } from "./usb-ids.ts";

/** One port of this computer and what it probably is. A hint: only talking to it tells. */
export interface PortInfo {
  path: string;
  kind: PortKind;
  /** Why it is taken for that, such as "Espruino Pico/WiFi/Original (USB id 0483:5740)". */
  why: string;
  /** `vendor:product`, lower-case hex. */
  usbId?: string;
  serialNumber?: string;
  /** No other port listed has this serial number, and it is none that a whole series shares. */
  unique: boolean;
}

export interface PortList {
  /** Most likely first, then by path in natural order. */
  ports: PortInfo[];
  /** One line of words when the list is not complete. */
  warning?: string;
}

/** What `SerialPort.list` tells of a port. */
export interface RawPort {
  path: string;
  manufacturer?: string | undefined;
  serialNumber?: string | undefined;
  vendorId?: string | undefined;
  productId?: string | undefined;
}

export interface PortSources {
  /** Default: SerialPort.list. */
  list?(): Promise<RawPort[]>;
  /** Names in /dev, for when `list` fails. */
  names?(): string[];
}

/** All serial ports that the system tells of. Pseudo terminals and tcp are never among them. Never rejects. */
export async function listPorts(sources: PortSources = {}): Promise<PortList> {
  const { list = () => SerialPort.list(), names = deviceNames } = sources;
  try {
    return { ports: classify(await list()) };
  } catch (cause) {
    // serialport asks udevadm on Linux, which a container or a small system may lack.
    const ports = names()
      .filter((name) => /^(ttyACM|ttyUSB|cu\.usb)/.test(name))
      .map((name) => ({ path: `/dev/${name}` }));
    const reason = causeText(cause);
    const warning = `the system does not list its ports (${reason}): USB ids and unusual names are not shown`;
    return { ports: classify(ports), warning };
  }
}

/** Says of each port what it probably is, and sorts them. */
export function classify(ports: readonly RawPort[]): PortInfo[] {
  const count = new Map<string, number>();
  for (const { serialNumber } of ports) {
    if (serialNumber) count.set(serialNumber, (count.get(serialNumber) ?? 0) + 1);
  }
  const isUnique = (serial: string) =>
    count.get(serial) === 1 && !SHARED_SERIAL_NUMBERS.has(serial.toLowerCase());
  return ports
    .map((port) => describe(port, isUnique))
    .sort(
      (a, b) =>
        PORT_KINDS.indexOf(a.kind) - PORT_KINDS.indexOf(b.kind) ||
        a.path.localeCompare(b.path, "en", { numeric: true }),
    );
}

function describe(port: RawPort, isUnique: (serial: string) => boolean): PortInfo {
  const { path, vendorId, productId, serialNumber, manufacturer } = port;
  const usbId = vendorId && productId ? `${vendorId}:${productId}`.toLowerCase() : undefined;
  return {
    path,
    ...guess(path, usbId, manufacturer),
    ...(usbId && { usbId }),
    ...(serialNumber && { serialNumber: escapeControls(serialNumber) }),
    unique: serialNumber ? isUnique(serialNumber) : false,
  };
}

function guess(path: string, usbId: string | undefined, manufacturer = ""): { kind: PortKind; why: string } {
  if (/bluetooth|wlan-debug|debug-console/i.test(path)) {
    return { kind: "other", why: "a service of the system, no board" };
  }
  if (!usbId && /(ttyACM|ttyUSB|cu\.usb)[^/]*$/.test(path)) return { kind: "usb", why: "on USB by its name" };
  if (!usbId) return { kind: "plain", why: "no USB id: built in, virtual, or not known" };
  const known = USB_IDS.get(usbId);
  if (known) return { kind: known.kind, why: `${known.what} (USB id ${usbId})` };
  // Espruino builds for other chips name themselves, whatever their ids.
  if (/espruino/i.test(manufacturer))
    return { kind: "board", why: `its maker is Espruino (USB id ${usbId})` };
  const by = manufacturer ? `, made by ${escapeControls(quote(manufacturer))}` : "";
  return { kind: "usb", why: `not known (USB id ${usbId}${by})` };
}

function deviceNames(): string[] {
  try {
    return readdirSync("/dev");
  } catch {
    return [];
  }
}
