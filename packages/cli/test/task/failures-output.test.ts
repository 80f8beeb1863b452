import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { main } from "../../src/main.ts";

const operation = `{"intent":"customer/upsert","identifier":"${"c".repeat(1_000)}"}`;
const operations = 8_000;

function* failures(): Generator<string> {
  yield '{"version":"1.0.0","operations":[\n';
  for (let i = 0; i < operations; i++) yield operation + (i === operations - 1 ? "\n]}\n" : ",\n");
}

test("a slow reader of failures is waited for, so that they do not pile up in memory", async () => {
  const server = createServer((_, response) => Readable.from(failures()).pipe(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  let [most, bytes] = [0, 0];
  const slow = new Writable({
    write(chunk: Buffer, _, done) {
      bytes += chunk.length;
      most = Math.max(most, this.writableLength);
      setTimeout(done, 1);
    },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = ["--token-id", "id", "--token-secret", "secret", "--tenant", "acme", "--url", url];
  const io = { stdout: slow, stderr: new Writable({ write: (_, __, done) => done() }) };
  expect(await main(["mass-operation", "failures", "6561f0c2a1b2c3d4e5f60718", ...token], io)).toBe(0);
  slow.end();
  await once(slow, "finish");
  expect(bytes).toBe([...failures()].join("").length);
  expect(most).toBeLessThan(1_048_576);
});
