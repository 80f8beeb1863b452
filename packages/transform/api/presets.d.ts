declare const formats: readonly ["csv", "ndjson", "json", "xlsx"];
type Format = (typeof formats)[number];
export interface Preset {
  readonly about: string;
  readonly format: Format;
  load(): Promise<{
    default: object;
  }>;
}
export declare const presets: Readonly<Record<string, Preset>>;
export interface ModelPreset extends Pick<Preset, "about"> {
  readonly format: "json";
  readonly path: string;
  load(): Promise<(document: unknown) => {
    map: object;
    notes: readonly string[];
  }>;
}
export declare const modelPresets: Readonly<Record<string, ModelPreset>>;
export declare const writtenMap: (map: object) => string;
export declare function presetMap({ load }: Preset): Promise<string>;
export {};
