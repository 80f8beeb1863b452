import type { FastifyReply } from "fastify";
import { pageHeaders } from "../../pages/page-headers.ts";

const headers = {
  ...pageHeaders({ "style-src": "'unsafe-inline'", "img-src": "data:" }),
  "cache-control": "no-store",
};

interface SignInPage {
  title: string;
  /** Texts; nothing in them is HTML. */
  paragraphs: readonly string[];
  link: { path: string; text: string };
  /** True to follow the link immediately. */
  isFollowed?: boolean;
}

/**
 * Sends a page of the sign-in. The session's cookie is `SameSite=Strict`: after the provider's redirect a browser sends
 * it only with requests of a page of the service's own, such as this one.
 */
export const sendPage = (
  reply: FastifyReply,
  status: number,
  { title, paragraphs, link, isFollowed }: SignInPage,
): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .type("text/html; charset=utf-8")
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escaped(title)} – Lading</title>
${isFollowed ? `<meta http-equiv="refresh" content="0;url=${escaped(link.path)}">` : ""}
<link rel="icon" href="data:,">
<style>body { font: 1rem/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem; overflow-wrap: anywhere; white-space: pre-wrap }</style>
</head>
<body><h1>${escaped(title)}</h1>
${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join("\n")}
<p><a href="${escaped(link.path)}">${escaped(link.text)}</a></p></body>
</html>
`);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
