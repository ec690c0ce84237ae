/** Program that loads the api and ends, so that Node stores the compiled code for the programs that tests kill. */
import "#api/app.ts";
import "#api/app/services.ts";
