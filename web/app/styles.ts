/* Styles that every page needs. Components in web/ui import their own. */
import "./tokens.css";
import "./global.css";
import "./print.css";
