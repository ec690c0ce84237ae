import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { renderWeb } from "#tests/support/render-web.tsx";
import { LicencesTab } from "#web/licensing/licences/licences-tab.tsx";
import { UserLicencesDocument } from "#web/generated/graphql.ts";

/** An answer that Apollo is given. */
export type Mock = MockLink.MockedResponse;

/** A concurrent licence as the tab lists it, or as `changes` say. */
export function licence(changes: Record<string, unknown> = {}) {
  return {
    __typename: "Licence",
    id: "licence-1",
    licenceCode: "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-FFFFF",
    supportCode: "S-7K3QMX9D",
    product: "XER Bridge",
    subscriptionLevel: "Corporate",
    licenceType: 3,
    licenceCategory: 2,
    licenceActivationType: 2,
    projectTerm: null,
    purchaseOrderNumber: "PO-4711",
    expiresAt: "2027-03-09T14:05:00.000Z",
    periodEndsAt: "2027-03-09T14:05:00.000Z",
    renewal: "NONE",
    status: "ACTIVE",
    isSubscribed: false,
    ...changes,
  };
}

/** What the tab asks first. */
export const request = { query: UserLicencesDocument, variables: { userId: "user-7" } };
/** The tab's list. */
export const listed = (...licences: object[]): Mock => ({
  request,
  result: { data: { user: { __typename: "User", id: "user-7", licences } } },
});

/** The tab of user-7 over the answers. */
export function open(...mocks: Mock[]) {
  return renderWeb(
    <MockedProvider mocks={mocks}>
      <LicencesTab userId="user-7" />
    </MockedProvider>,
  );
}

/** Chooses an action of the one licence. */
export async function choose(user: ReturnType<typeof open>["user"], action: string) {
  await user.click(await screen.findByRole("button", { name: "Actions for XER Bridge Corporate S-7K3QMX9D" }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
}

/** An answer to a mutation, whatever it was sent; what was sent is kept. */
export function answering(query: Mock["request"]["query"], result: Mock["result"] | { error: string; code: string }) {
  const sent: Record<string, unknown>[] = [];
  const mock = {
    request: {
      query,
      variables: (variables: Record<string, unknown>) => {
        sent.push(variables);
        return true;
      },
    },
    result:
      result && "error" in result
        ? { errors: [new GraphQLError(result.error, { extensions: { code: result.code } })] }
        : result,
    maxUsageCount: 5,
  } as unknown as Mock;
  return { mock, sent };
}
