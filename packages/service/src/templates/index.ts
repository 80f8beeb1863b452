export { fetchHelpers, type HelperContext, wantFetched } from "./helpers/index.ts";
export { peekText, type Rendered, renderPayload, renderText } from "./render.ts";
export type { Helper, ReferenceValue, RenderScope } from "./scope.ts";
export { TemplateError, type TemplateErrorCode } from "./template-error.ts";
