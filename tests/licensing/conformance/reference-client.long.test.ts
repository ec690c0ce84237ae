import { connectReferenceClient } from "./client-under-test.ts";
import { testClient } from "./test-client.ts";

await testClient(connectReferenceClient);
