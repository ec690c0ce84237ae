import { useRef } from "react";
import content from "content:home";
import { brand } from "#schema/brand.ts";
import { useTrialLink } from "#web/licensing/trials/trial-status.ts";
import { ArrowLink } from "#web/ui/content-link.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./banner-carousel.module.css";
import { BANNER_MS, RotationControls, useRotation } from "./rotation-controls.tsx";
import { StillPicture } from "./still-picture.tsx";
import { pictureByName } from "#web/site/pictures/by-name.ts";

const slides = content.banner;

/** Banner with one slide at a time and the height of the tallest slide. Without JavaScript, all slides are shown. */
export function BannerCarousel() {
  const area = useRef<HTMLElement>(null);
  const rotation = useRotation(area, slides.length, BANNER_MS);
  const { index, isPlaying, isMoving, goTo } = rotation;
  return (
    <section
      ref={area}
      className={classes.carousel}
      aria-roledescription="carousel"
      aria-label={`What ${brand.productName} does`}
      data-playing={isPlaying || undefined}
      data-moving={isMoving || undefined}
      {...rotation.area}
    >
      <RotationControls rotation={rotation} item="slide">
        <div style={{ display: "flex", flex: 1, gap: "0.375rem" }}>
          {slides.map((slide, position) => (
            <button
              key={slide.id}
              type="button"
              className={classes.bar}
              aria-label={`Slide ${position + 1}: ${slide.title}`}
              aria-current={position === index || undefined}
              data-done={position < index || undefined}
              onClick={() => goTo(position)}
            />
          ))}
        </div>
      </RotationControls>
      <div className={classes.stage} aria-live={isMoving ? "off" : "polite"}>
        {slides.map((slide, position) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide isn't a group of form fields
          <div
            key={slide.id}
            className={classes.slide}
            role="group"
            aria-roledescription="slide"
            aria-label={`${position + 1} of ${slides.length}`}
            data-current={position === index || undefined}
          >
            <StillPicture className={classes.picture}>
              <SlidePicture name={slide.picture} />
            </StillPicture>
            <div className={`${layout.marked} ${classes.words}`}>
              <h2 style={{ fontSize: "1.1875rem" }}>{slide.title}</h2>
              <p style={{ marginTop: "0.375rem", color: "var(--xp-muted)" }}>{slide.text}</p>
              <SlideAction link={slide.action} />
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}

function SlideAction({ link }: { link: (typeof slides)[number]["action"] }) {
  return <ArrowLink {...useTrialLink(link)} />;
}

function SlidePicture({ name }: { name: string }) {
  const Shown = pictureByName[name];
  return Shown && <Shown />;
}
