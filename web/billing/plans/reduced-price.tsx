import { Text, VisuallyHidden } from "@mantine/core";
import { formatAud } from "#schema/money.ts";

/** Shows the price before and after a discount. Without a discount, shows only the price. */
export function ReducedPrice({ originalCents, cents }: { originalCents: number | null; cents: number }) {
  return (
    <>
      {originalCents !== null && (
        // Mantine removes the line of the element.
        <Text component="s" size="sm" c="dimmed" td="line-through">
          <VisuallyHidden>Original price </VisuallyHidden>
          {formatAud(originalCents)}
        </Text>
      )}
      <Text component="strong" fz="1.625rem" fw={640} lh={1.2}>
        {originalCents !== null && <VisuallyHidden>Discounted price </VisuallyHidden>}
        {formatAud(cents)}
      </Text>
    </>
  );
}
