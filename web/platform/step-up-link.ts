import { ApolloLink } from "@apollo/client";
import { from, mergeMap, of } from "rxjs";
import { getErrorCode } from "./server-error.ts";
import { NOT_PROVED, requestProof } from "./step-up.ts";

/**
 * Opens the dialog on STEP_UP_REQUIRED and sends the operation again after the proof, so the form loses nothing (decision
 * 0059). If the user cancels, the form shows {@link NOT_PROVED}.
 */
export const stepUpLink = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    mergeMap((answer) => {
      if (getErrorCode(answer) !== "STEP_UP_REQUIRED") return of(answer);
      return from(requestProof()).pipe(
        mergeMap((proved) => (proved ? forward(operation) : of(describeCancelledProof(answer)))),
      );
    }),
  ),
);

function describeCancelledProof(answer: ApolloLink.Result): ApolloLink.Result {
  return { ...answer, errors: (answer.errors ?? []).map((error) => ({ ...error, message: NOT_PROVED })) };
}
