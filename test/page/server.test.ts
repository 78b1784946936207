/** The page's server: for browsers of this machine only, and for nobody without the key. */
import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PageServer } from "../../src/page/server/page-server.ts";

let server: PageServer;
let key: string;
const done: string[] = [];

beforeEach(async () => {
  done.length = 0;
  server = await PageServer.open({
    html: "<p>the page</p>",
    policy: "default-src 'none'",
    routes: {
      "POST /act": ({ body, response }) => {
        done.push(body);
        response.end("done");
      },
    },
  });
  key = new URL(server.address).hash.replace("#key=", "");
});

afterEach(() => server.close());

interface Asked {
  method?: string;
  path?: string;
  headers?: { [name: string]: string };
  body?: string;
}

function ask({ method = "GET", path = "/", headers = {}, body = "" }: Asked) {
  return new Promise<{ status: number; text: string; headers: { [name: string]: unknown } }>(
    (resolve, reject) => {
      const { port } = server;
      const asked = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece) => {
          text += piece;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
        );
      });
      asked.on("error", reject);
      asked.end(body);
    },
  );
}

const act = (headers: { [name: string]: string }, body = "{}") =>
  ask({ method: "POST", path: "/act", headers, body });

describe("the page's server", () => {
  test("gives the page to whoever asks by its own name, with a strict policy", async () => {
    const { status, text, headers } = await ask({});
    expect([status, text]).toEqual([200, "<p>the page</p>"]);
    expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(text).not.toContain(key);
  });

  test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80"])(
    "refuses whoever calls it %s",
    async (host) => {
      expect((await ask({ headers: { host } })).status).toBe(421);
      expect((await act({ host, "x-ringlab-key": key })).status).toBe(421);
      expect(done).toEqual([]);
    },
  );

  test.each(["http://evil.example", "null", "https://127.0.0.1:1", "http://127.0.0.1"])(
    "refuses a page of %s, also with the key",
    async (origin) => {
      expect((await act({ origin, "x-ringlab-key": key })).status).toBe(403);
      expect(done).toEqual([]);
    },
  );

  test("does nothing without the key, or with another", async () => {
    expect((await act({})).status).toBe(403);
    expect((await act({ "x-ringlab-key": `${key}x` })).status).toBe(403);
    expect((await act({ "x-ringlab-key": "x".repeat(key.length) })).status).toBe(403);
    expect(done).toEqual([]);
  });

  test("does what its own page asks, and refuses a body without end", async () => {
    const origin = `http://127.0.0.1:${server.port}`;
    expect(await act({ origin, "x-ringlab-key": key }, "crash")).toMatchObject({ status: 200, text: "done" });
    expect(done).toEqual(["crash"]);
    expect((await act({ origin, "x-ringlab-key": key }, "x".repeat(5000))).status).toBe(413);
    expect((await ask({ path: "/other" })).status).toBe(404);
    expect((await ask({ method: "POST", path: "/" })).status).toBe(404);
  });
});
