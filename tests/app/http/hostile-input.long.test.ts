import { startTestApp } from "#tests/support/test-app.ts";
import { testHostileInput } from "./test-hostile-input.ts";

await testHostileInput(await startTestApp());
