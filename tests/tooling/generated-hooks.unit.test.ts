import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as generated from "#web/generated/graphql.ts";
import type { ResultCode } from "#web/generated/graphql.ts";

const { useActivatedDevicesQuery, useDeactivateDeviceMutation, useMyAccountQuery, useSignInMutation, useUsersQuery } =
  generated;

const operations = globSync("web/**/*.graphql").map((file) => {
  const [, kind = "", name = ""] = /(query|mutation) (\w+)/.exec(readFileSync(file, "utf8")) ?? [];
  return { file, name, kind: kind === "query" ? "Query" : "Mutation" };
});

test.each(operations)("generates a typed document and a hook for $file", ({ name, kind }) => {
  expect(generated).toHaveProperty(`${name}Document.kind`, "Document");
  expect(generated).toHaveProperty(`use${name}${kind}`, expect.any(Function));
});

/** True if both types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_isSame: Same<A, B>): void => undefined;

test("types the hooks by their operations (checked by tsc, with @ts-expect-error on invalid uses)", () => {
  // Never called; only the type checker reads it.
  const useEverything = () => {
    // Queries without required variables need no options; data may be absent.
    const { data } = useMyAccountQuery();
    same<typeof data, generated.MyAccountQuery | undefined>(true);
    const level = data?.me.licences[0]?.subscriptionLevel;
    same<typeof level, string | undefined>(true);
    const status = data?.me.licences[0]?.status;
    same<typeof status, "ACTIVE" | "EXPIRED" | "REVOKED" | "SUSPENDED" | undefined>(true);
    // @ts-expect-error a field that the operation does not select
    void data?.me.mobile;
    // @ts-expect-error data may be absent
    void data.me;
    // @ts-expect-error this query takes no variables
    useMyAccountQuery({ variables: { id: "1" } });

    // Required variables must be passed unless the query is skipped.
    useActivatedDevicesQuery({ variables: { licenceId: "1" } });
    useActivatedDevicesQuery({ skip: true });
    // @ts-expect-error the variables are missing
    useActivatedDevicesQuery();
    // @ts-expect-error the variables are missing
    useActivatedDevicesQuery({});
    // @ts-expect-error a variable of another name
    useActivatedDevicesQuery({ variables: { id: "1" } });
    // @ts-expect-error a variable of another type
    useActivatedDevicesQuery({ variables: { licenceId: 1 } });

    // Optional inputs may be omitted; unknown ones are errors.
    useUsersQuery({ variables: { filter: {}, first: 10, offset: 0, fromEnd: false } });
    // @ts-expect-error an unknown field of the filter
    useUsersQuery({ variables: { filter: { query: "ada" }, first: 10, offset: 0, fromEnd: false } });

    const [deactivate] = useDeactivateDeviceMutation();
    void deactivate({ variables: { input: { deviceId: "1", reason: "x" } } }).then((answer) => {
      const code = answer.data?.deactivateDevice.code;
      same<typeof code, ResultCode | undefined>(true);
    });
    // @ts-expect-error the reason is missing
    void deactivate({ variables: { input: { deviceId: "1" } } });

    const [signIn] = useSignInMutation();
    void signIn({ variables: { input: { email: "a", password: "b" } } }).then((answer) => {
      const problem = answer.data?.signIn.problem;
      same<typeof problem, generated.SignInProblem | null | undefined>(true);
      // @ts-expect-error a problem that is not in the schema
      if (problem === "LOCKED") throw new Error(problem);
    });
  };
  expect(useEverything).toBeInstanceOf(Function);
});
