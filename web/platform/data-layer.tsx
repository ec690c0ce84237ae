import { ApolloProvider } from "@apollo/client/react";
import { type ReactNode, useState } from "react";
import { createApolloClient } from "./apollo.ts";
import { useSession } from "./session.ts";

/** Provides an Apollo client per user, so no user sees data that was cached for another one. */
export default function DataLayer({ children }: { children: ReactNode }) {
  const userId = useSession()?.claims.id ?? "visitor";
  return <ClientOfOneUser key={userId}>{children}</ClientOfOneUser>;
}

function ClientOfOneUser({ children }: { children: ReactNode }) {
  const [client] = useState(createApolloClient);
  return <ApolloProvider client={client}>{children}</ApolloProvider>;
}
