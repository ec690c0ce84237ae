/*
 * Display times on the home page in milliseconds. The animations in banner-carousel.module.css and
 * benefits-chart.module.css use the same times, and a test compares them.
 */

/** Time per slide of the banner. */
export const BANNER_MS = 8000;

/** Time per point of the benefits timeline on wide screens, which show a chart. */
export const TIMELINE_MS = 1500;

/** Time per point on narrow screens, which show one point at a time. */
export const NARROW_TIMELINE_MS = 4000;

/** Screen width from which the benefits are shown as a chart. */
export const CHART_QUERY = "(min-width: 1118px)";
