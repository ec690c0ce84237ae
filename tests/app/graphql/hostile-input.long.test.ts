import { startTestApp } from "#tests/support/test-app.ts";
import { testHostileValues } from "./test-hostile-values.ts";

await testHostileValues(await startTestApp());
