/** Names that Windows keeps for devices, whatever follows after a dot. */
const deviceNames = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
// What Windows refuses in names, and what cannot be seen: control and format characters, halves of surrogate pairs,
// the replacement character of a broken name.
const forbidden = /[<>:"|?*\\/\uFFFD\p{C}\p{Zl}\p{Zp}]/u;
const LONGEST_NAME = 120;
/** Below what Windows allows for a whole path, as a folder of the user's cache stands before it. */
const LONGEST_PATH = 200;
/** Of what is compared, which can be longer than the path: `software_files.path_key`. */
const LONGEST_KEY = 255;
const DEEPEST = 10;

/** Why a path of segments with `/` between must not be used; null for one that stays in its folder on every system. */
export function faultOfPath(path: string): string | null {
  if (path === "") return "has no name";
  if (path.length > LONGEST_PATH || keyOfPath(path).length > LONGEST_KEY) return "has too long a path";
  if (/^(?:\/|[a-z]:)/i.test(path)) return "has an absolute path";
  if (path.includes("\\")) return "has a backslash in its path";
  const segments = path.split("/");
  if (segments.length > DEEPEST) return "lies too deep in folders";
  for (const segment of segments) {
    if (segment === "..") return "leads out of its folder";
    if (segment === "" || segment === ".") return "has an empty part in its path";
    if (segment.length > LONGEST_NAME) return "has too long a name";
    if (forbidden.test(segment)) return "has characters in its path that are not allowed";
    if (/^ |[ .]$/.test(segment)) return "has a name that begins with a space or ends in a space or a dot";
    if (deviceNames.test(segment)) return "has a name that Windows keeps for a device";
  }
  return null;
}

/** What two paths have in common that Windows takes for one. */
export function keyOfPath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
