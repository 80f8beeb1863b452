import { PassThrough } from "node:stream";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import { main } from "../../src/main.ts";

/** A client of `lading mcp` in this process. */
export interface Agent {
  client: Client;
  /** The command's standard input, and the text of its output. */
  readonly written: { stdin: PassThrough; stdout: string; stderr: string };
  /** The exit code, once standard input was closed. */
  ended: Promise<number>;
  call(name: string, input?: Record<string, unknown>): Promise<Called>;
}

export interface Called {
  isError: boolean;
  /** Lading's own words. */
  says: string;
  /** The text of the answer, with the data between its marks. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into many different answers.
  data: any;
}

/** Starts `lading mcp` with arguments, and connects to it. */
export async function agent(...args: string[]): Promise<Agent> {
  const { written, ended, stdout } = startMcp(args);
  const client = new Client({ name: "test", version: "1" });
  const failed = ended.then((code) => {
    throw new Error(`lading mcp ended with ${code}: ${written.stderr}`);
  });
  await Promise.race([client.connect(new StdioServerTransport(stdout, written.stdin)), failed]);
  failed.catch(() => {});
  return {
    client,
    written,
    ended,
    call: async (name, input = {}) => called(await client.callTool({ name, arguments: input })),
  };
}

/** Starts `lading mcp` in this process. */
export function startMcp(args: readonly string[], interrupted = new AbortController().signal) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const written = { stdin, stdout: "", stderr: "" };
  const ended = main(["mcp", ...args], {
    interrupted,
    stdin,
    stdout: {
      write(text: string) {
        written.stdout += text;
        stdout.write(text);
      },
    },
    stderr: {
      write(text: string) {
        written.stderr += text;
      },
    },
  });
  onTestFinished(async () => {
    stdin.end();
    await ended;
  });
  return { written, ended, stdout };
}

/** Reads the result of a call. */
export function called({ content, structuredContent, isError }: CallToolResult): Called {
  const [first] = content;
  const { answer, untrusted } = (structuredContent ?? {}) as { answer?: string[]; untrusted?: unknown };
  return {
    isError: isError === true,
    says: answer?.join("\n") ?? (first?.type === "text" ? first.text : ""),
    text: first?.type === "text" ? first.text : "",
    data: untrusted,
  };
}
