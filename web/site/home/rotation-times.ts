/*
 * How long everything on the home page stands before the next comes, in ms (issue "The public site", Home). The bars that
 * fill meanwhile take the same times from banner-carousel.module.css and benefits-chart.module.css; a test compares them.
 */

/** A slide of the banner. */
export const BANNER_MS = 8000;

/** A point of the benefits timeline where all 14 are drawn as a chart. */
export const TIMELINE_MS = 1500;

/** A point where one is shown at a time. */
export const NARROW_TIMELINE_MS = 4000;

/** From here on the benefits are a chart. */
export const CHART_QUERY = "(min-width: 1118px)";
