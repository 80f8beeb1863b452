import type { Command } from "commander";
import type { Context } from "../context.ts";

/** Makes a command; its action works with the context. `everything` makes the whole command line. */
export type MakeCommand = (context: Context, everything: () => Promise<Command>) => Command;

/** Loads the file of a command when the command is needed. */
export type Leaf = () => Promise<{ command: MakeCommand }>;

export interface Group {
  description: string;
  commands: Readonly<Record<string, Leaf | Group>>;
}

const stateChange =
  (name: "cancel" | "hold" | "resume"): Leaf =>
  async () => {
    const { stateCommand } = await import("./mass-operation/state-commands.ts");
    return { command: (context) => stateCommand(context, name) };
  };

export const tree: Group = {
  description: "A mass operations service for headless commerce, and its client.",
  commands: {
    serve: () => import("./serve.ts"),
    migrate: () => import("./migrate.ts"),
    "move-data": () => import("./move-data.ts"),
    "mass-operation": {
      description: "Mass operation files: write, check, run and follow them.",
      commands: {
        init: () => import("./mass-operation/init.ts"),
        run: () => import("./mass-operation/run.ts"),
        plan: () => import("./mass-operation/plan.ts"),
        validate: () => import("./mass-operation/validate.ts"),
        "dump-content-model": () => import("./mass-operation/dump-content-model.ts"),
        "execute-mutations": () => import("./mass-operation/execute-mutations.ts"),
        "add-operation": () => import("./mass-operation/add-operation.ts"),
        list: () => import("./mass-operation/list.ts"),
        status: () => import("./mass-operation/status.ts"),
        logs: () => import("./mass-operation/logs.ts"),
        start: () => import("./mass-operation/start.ts"),
        cancel: stateChange("cancel"),
        retry: () => import("./mass-operation/retry.ts"),
        failures: () => import("./mass-operation/failures.ts"),
        undo: () => import("./mass-operation/undo.ts"),
        hold: stateChange("hold"),
        resume: stateChange("resume"),
      },
    },
    image: {
      description: "Images of a tenant: upload the images of a folder.",
      commands: { upload: () => import("./image/upload.ts") },
    },
    task: {
      description: "Bulk tasks: show one, prune ended ones.",
      commands: { show: () => import("./task/show.ts"), prune: () => import("./task/prune.ts") },
    },
    tenant: {
      description: "Tenants: create, compare, copy and delete them; their settings and webhooks.",
      commands: {
        create: () => import("./tenant/create.ts"),
        list: () => import("./tenant/list.ts"),
        show: () => import("./tenant/show.ts"),
        delete: () => import("./tenant/delete.ts"),
        dump: () => import("./tenant/dump.ts"),
        diff: () => import("./tenant/diff.ts"),
        move: () => import("./tenant/move.ts"),
        settings: {
          description:
            "Settings that operations refer to: languages, VAT types, price variants, stock locations, markets.",
          commands: {
            show: () => import("./tenant/settings/show.ts"),
            add: () => import("./tenant/settings/add.ts"),
            remove: () => import("./tenant/settings/remove.ts"),
          },
        },
        webhook: {
          description: "The URL notified when a tenant's task ends.",
          commands: {
            set: () => import("./tenant/webhook/set.ts"),
            show: () => import("./tenant/webhook/show.ts"),
            rotate: () => import("./tenant/webhook/rotate.ts"),
            remove: () => import("./tenant/webhook/remove.ts"),
            deliveries: () => import("./tenant/webhook/deliveries.ts"),
          },
        },
      },
    },
    token: {
      description: "Access tokens of a tenant.",
      commands: {
        create: () => import("./token/create.ts"),
        list: () => import("./token/list.ts"),
        revoke: () => import("./token/revoke.ts"),
      },
    },
    group: {
      description: "Groups of the identity provider: the roles of their members in tenants.",
      commands: {
        map: () => import("./group/map.ts"),
        list: () => import("./group/list.ts"),
        unmap: () => import("./group/unmap.ts"),
      },
    },
    apply: () => import("./apply.ts"),
    export: () => import("./export.ts"),
    convert: () => import("./convert.ts"),
    mcp: () => import("./mcp.ts"),
    login: () => import("./login.ts"),
    console: () => import("./console.ts"),
    whoami: () => import("./whoami.ts"),
    doctor: () => import("./doctor.ts"),
    completion: () => import("./completion.ts"),
  },
};
