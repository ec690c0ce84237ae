import { formatAud } from "#schema/money.ts";
import classes from "./price-box.module.css";
import { formatLevel, type Product } from "./products.ts";
import type { PromoQuote } from "./use-promo-code.ts";

const periods: Readonly<Record<string, string>> = { monthly: "month", yearly: "year" };

/** Shows the exact amount that the card will be charged, as calculated by the server. */
export function PriceBox({
  product,
  promo,
  busy,
}: {
  product: Product | null;
  promo: PromoQuote | null;
  busy: boolean;
}) {
  return (
    <section className={classes.box} aria-label="Price" aria-busy={busy || undefined}>
      <h2 className={classes.title}>Summary</h2>
      <div aria-live="polite" className={classes.body}>
        {product ? (
          <PriceLines product={product} promo={promo} />
        ) : (
          <p className={classes.empty}>Choose a subscription level to see its price in AUD.</p>
        )}
      </div>
    </section>
  );
}

function PriceLines({ product, promo }: { product: Product; promo: PromoQuote | null }) {
  const { amountCents, gstCents, totalCents } = promo ?? product;
  const { interval } = product.planPrice;
  const period = periods[interval] ?? interval;
  const withGst = gstCents > 0;
  return (
    <>
      <p className={classes.level}>{formatLevel(product.planPrice)}</p>
      <dl className={classes.lines}>
        <div>
          <dt>Price</dt>
          <dd>{formatAud(amountCents)}</dd>
        </div>
        {promo && (
          <div data-discount="true">
            <dt>Discount</dt>
            <dd>{formatAud(-promo.discountCents)}</dd>
          </div>
        )}
        {withGst && (
          <div>
            <dt>GST</dt>
            <dd>{formatAud(gstCents)}</dd>
          </div>
        )}
      </dl>
      <div className={classes.total}>
        <span className={classes.totalLabel}>
          Total today
          <span>{withGst ? "AUD, including GST" : "AUD"}</span>
        </span>
        <span className={classes.amounts}>
          {promo && (
            <s>
              <span className={classes.hidden}>Original price </span>
              {formatAud(promo.fullTotalCents)}
            </s>
          )}
          <strong>
            {promo && <span className={classes.hidden}>Discounted price </span>}
            {formatAud(totalCents)}
          </strong>
        </span>
      </div>
      <p className={classes.renewal}>
        Then {formatAud(promo?.fullTotalCents ?? totalCents)} every {period}
        {withGst ? ", including GST," : ""} until you cancel.
      </p>
    </>
  );
}
