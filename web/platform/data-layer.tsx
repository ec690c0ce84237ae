import { ApolloProvider } from "@apollo/client/react";
import { type ReactNode, useState } from "react";
import { createApolloClient } from "./apollo.ts";
import { useSession } from "./session.ts";

/** Gives the pages below an Apollo client of their user's own: nobody sees what the cache kept for someone else. */
export default function DataLayer({ children }: { children: ReactNode }) {
  const userId = useSession()?.claims.id ?? "visitor";
  return <ClientOfOneUser key={userId}>{children}</ClientOfOneUser>;
}

function ClientOfOneUser({ children }: { children: ReactNode }) {
  const [client] = useState(createApolloClient);
  return <ApolloProvider client={client}>{children}</ApolloProvider>;
}
