/* What every page needs; parts in web/ui import the rest beside their code. */
import "./layers.css";
import "./tokens.css";
import "./global.css";
import "./print.css";
