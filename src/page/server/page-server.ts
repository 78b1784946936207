/**
 * Serves the page to browsers of this machine: on 127.0.0.1 only, to nobody who calls it by another name (DNS rebinding), with
 * nothing but the page itself for whoever does not have the key that stands in the address behind `#`.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../../errors.ts";

const HOST = "127.0.0.1";
/** Longest request with a body, bytes. */
const MOST_BODY = 4096;

/** What a request with the key can ask for, by method and path. */
export type Routes = { [route: string]: (request: PageRequest) => void | Promise<void> };

export interface PageRequest {
  query: URLSearchParams;
  /** Text of the body, at most 4 kB. */
  body: string;
  response: ServerResponse;
  /** The browser has gone. */
  onClose(listener: () => void): void;
}

export interface PageServerOptions {
  html: string;
  /** Of the page, as a header: there it can forbid frames as well. */
  policy: string;
  routes?: Routes;
  /** 0: any that is free. */
  port?: number;
}

export class PageServer {
  readonly #server: Server;
  readonly #options: PageServerOptions;
  readonly #key = randomBytes(18).toString("base64url");

  private constructor(server: Server, options: PageServerOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** @throws UsageError where the port cannot be had */
  static async open(options: PageServerOptions): Promise<PageServer> {
    const server = createServer();
    const page = new PageServer(server, options);
    server.on("request", (request, response) => void page.#answer(request, response));
    const { port = 0 } = options;
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        reject(
          new UsageError(
            `port ${port} of ${HOST} cannot be had (${error.code}): leave --port out, or give another`,
          ),
        ),
      );
      server.listen(port, HOST, resolve);
    });
    return page;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Address of the page, with its key. */
  get address(): string {
    return `http://${HOST}:${this.port}/#key=${this.#key}`;
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Content-Security-Policy", `${this.#options.policy}; frame-ancestors 'none'`);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cache-Control", "no-store");
    if (!this.#isOurs(request.headers.host)) {
      refuse(response, 421, "this address is not that of the page");
      return;
    }
    const { origin } = request.headers;
    if (origin !== undefined && !this.#isOurs(/^http:\/\/(.*)$/.exec(origin)?.[1])) {
      refuse(response, 403, "another page may not ask this one");
      return;
    }
    const url = new URL(request.url ?? "/", `http://${HOST}`);
    if (url.pathname === "/" && (request.method === "GET" || request.method === "HEAD")) {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(request.method === "HEAD" ? undefined : this.#options.html);
      return;
    }
    const route = this.#options.routes?.[`${request.method} ${url.pathname}`];
    if (!route) refuse(response, 404, "there is nothing here");
    else if (!this.#hasKey(request))
      refuse(response, 403, "the key in the address is not that of this program");
    else await this.#serve(request, response, url.searchParams, route);
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
    route: NonNullable<PageServerOptions["routes"]>[string],
  ): Promise<void> {
    let body = "";
    request.setEncoding("utf8");
    try {
      for await (const piece of request) {
        body += piece;
        if (body.length > MOST_BODY) {
          refuse(response, 413, "that is too long");
          return;
        }
      }
      await route({ query, body, response, onClose: (listener) => response.once("close", listener) });
    } catch (error) {
      if (error instanceof UsageError) refuse(response, 400, error.message);
      else if (!response.destroyed) response.destroy();
    }
  }

  /** Is this name, with its port, one of this server? */
  #isOurs(name: string | undefined): boolean {
    return name === `${HOST}:${this.port}` || name === `localhost:${this.port}`;
  }

  #hasKey(request: IncomingMessage): boolean {
    const given = Buffer.from(String(request.headers["x-ringlab-key"] ?? ""));
    const key = Buffer.from(this.#key);
    return given.length === key.length && timingSafeEqual(given, key);
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) return;
  response.statusCode = status;
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  response.end(`${reason}\n`);
}
