/** True when `If-None-Match` names the entity tag, so the client already has the content (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.split(",").some((each) => ["*", tag].includes(each.trim().replace(/^W\//, "")));
}
