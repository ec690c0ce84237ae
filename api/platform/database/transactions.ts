export { inSavepoint, inTransaction } from "./database.ts";
