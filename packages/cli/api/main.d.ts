import { Readable } from "node:stream";
declare const exitCode: {
  readonly success: 0;
  readonly usage: 1;
  readonly invalidFile: 2;
  readonly taskError: 3;
  readonly operationsFailed: 4;
  readonly changes: 5;
  readonly held: 6;
  readonly refused: 7;
  readonly interrupted: 130;
};
type ExitCode = (typeof exitCode)[keyof typeof exitCode];
interface Sink {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  wasWritten?: boolean;
  hasReader?: boolean;
  drained?(): Promise<void>;
}
interface Context {
  stdout: Sink;
  stderr: Sink;
  stdin: Partial<Readable> & {
    isTTY?: boolean;
  };
  interrupted: AbortSignal;
  exitCode: ExitCode;
  quiet: boolean;
}
export declare function main(args: string[], io?: Partial<Context>): Promise<number>;
export {};
