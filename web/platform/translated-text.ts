/**
 * Lets React go on after the browser has translated the page. A translation replaces texts with elements of its own, and
 * React would throw when it removes such a text or adds something before it
 * (https://github.com/facebook/react/issues/11538).
 */
export function tolerateTranslatedText(): void {
  // oxlint-disable-next-line typescript/unbound-method -- both are called with their node
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function remove<One extends Node>(this: Node, one: One): One {
    return one.parentNode === this ? (removeChild.call(this, one) as One) : one;
  };
  Node.prototype.insertBefore = function insert<One extends Node>(this: Node, one: One, next: Node | null): One {
    return insertBefore.call(this, one, next?.parentNode === this ? next : null) as One;
  };
}
