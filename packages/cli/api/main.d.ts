export declare function main(args: string[]): Promise<number>;
