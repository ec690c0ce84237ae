import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import { measureContract } from "../../scripts/contract/measure-contract.ts";

const sdl = `
  type Query {
    "Pages."
    books(
      "1 Novel, 2 Poem."
      kind: Int
    ): BookPage!
    "Pages."
    authors: AuthorPage!
  }
  type Mutation {
    "Deletes."
    deleteBook("The id." id: ID!): Boolean!
  }
  "A page."
  type BookPage { "Books." rows: [Book!]! "Number." total: Int! }
  "A page."
  type AuthorPage { "Authors." rows: [Author!]! "Whether." hasMore: Boolean! }
  "An author."
  type Author { "The name." name: String! "The state, such as QLD." state: String! "Birth." bornAt: String }
  "A book."
  type Book { "The author." authorId: ID! "The editor." editorId: ID! "The editor." editor: Author!  title: String! }
`;

test("measuring the GraphQL contract finds each kind of fault", () => {
  expect(measureContract(buildSchema(sdl))).toEqual({
    "closed lists in prose": ["Query.books.kind", "Author.state"],
    "days and moments as text": ["Author.bornAt"],
    "undescribed places": ["Book.title"],
    "mutations that return a scalar": ["deleteBook"],
    "further page shapes": ["{hasMore: Boolean!} in AuthorPage"],
    "ids without their object": ["Book.authorId"],
  });
});
