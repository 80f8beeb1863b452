/** Tells whether `If-None-Match` names an entity tag, so that the client has the content already (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.split(",").some((each) => ["*", tag].includes(each.trim().replace(/^W\//, "")));
}
