/**
 * True if npm has installed what the lock file says. Compares contents, not dates: a checkout or another `npm
 * install` changes dates only.
 * @param {{packages: Record<string, any>} | undefined} lock package-lock.json
 * @param {{packages: Record<string, any>} | undefined} installed node_modules/.package-lock.json, npm's own
 * record
 * @returns {boolean}
 */
export function isInstalled(lock, installed) {
  if (lock === undefined || installed === undefined) return false;
  return Object.entries(lock.packages)
    .filter(([path]) => path.startsWith("node_modules/"))
    .every(([path, wanted]) => {
      const found = installed.packages[path];
      if (found === undefined) return wanted.optional === true; // for another platform
      return found.version === wanted.version && found.integrity === wanted.integrity;
    });
}
