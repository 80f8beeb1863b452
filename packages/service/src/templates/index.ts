export { Budget } from "./budget.ts";
export { type RenderedPayload, renderPayload } from "./render-payload.ts";
export { peekText, renderText } from "./render-text.ts";
export { type RenderScope, ValueUnavailable } from "./scope.ts";
export { TemplateError } from "./template-error.ts";
