// Writes a plan into a comment on a pull request: the one that an earlier run wrote, or a new one.
import { readFile } from "node:fs/promises";

const { COMMENT_TOKEN, COMMENT_ABOUT, PLAN, PULL_REQUEST, COMMIT, GITHUB_API_URL, GITHUB_REPOSITORY } =
  process.env;
const comments = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;
const mark = `<!-- lading plan ${encodeURIComponent(COMMENT_ABOUT).replaceAll("-", "%2D")} -->`;

async function request(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { accept: "application/vnd.github+json", authorization: `Bearer ${COMMENT_TOKEN}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  throw new Error(
    `${method} ${url} answered ${response.status}: ${await response.text()}\n` +
      "The job needs the permission `pull-requests: write`.",
  );
}

/** Only of bots: anyone may write the mark. */
async function earlierComment() {
  for (let page = 1; ; page++) {
    const found = await request("GET", `${comments}/${PULL_REQUEST}/comments?per_page=100&page=${page}`);
    const own = found.find(({ user, body }) => user?.type === "Bot" && body?.startsWith(mark));
    if (own || found.length < 100) return own;
  }
}

const body = `${mark}\n${await readFile(PLAN, "utf8")}\nOf commit ${COMMIT}.\n`;
const earlier = await earlierComment();
if (earlier) await request("PATCH", `${comments}/comments/${earlier.id}`, { body });
else await request("POST", `${comments}/${PULL_REQUEST}/comments`, { body });
