/** The package has no types of its own: the part that the tests use. */
declare module "@20minutes/s3rver" {
  export default class S3rver {
    constructor(options: {
      directory: string;
      silent: boolean;
      address: string;
      port: number;
      vhostBuckets: boolean;
      allowMismatchedSignatures: boolean;
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
