import { startTestApp } from "#tests/support/test-app.ts";
import { testMatrix } from "./test-matrix.ts";

await testMatrix(await startTestApp());
