export { Budget } from "./budget.ts";
export { peekText, type Rendered, renderPayload, renderText, type Unanswered } from "./render.ts";
export { type Helper, NoAnswer, type ReferenceValue, type Rendering, type RenderScope } from "./scope.ts";
export { TemplateError, type TemplateErrorCode } from "./template-error.ts";
