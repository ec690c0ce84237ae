import { listOldPictures } from "./pictures/picture-words.mjs";

const old = listOldPictures();
for (const sentence of old) process.stderr.write(`${sentence}\n`);
process.exit(old.length > 0 ? 1 : 0);
