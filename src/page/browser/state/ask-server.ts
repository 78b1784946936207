/** Asks the program that serves the page, with the key that stands in the page's address. */

const key = new URLSearchParams(location.hash.slice(1)).get("key") ?? "";

/** @throws Error with the server's own words where it refuses */
export async function askServer(path: string, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { ...options, headers: { "X-Ringlab-Key": key } });
  if (!response.ok) throw new Error((await response.text()).trim() || `status ${response.status}`);
  return response;
}
