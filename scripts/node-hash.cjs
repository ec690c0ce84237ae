// Stands in for `sha.js` in the bundle: @apollo/utils.createhash looks for `module.require`, which a bundle has not, and
// would hash each operation's text in JavaScript.
module.exports = require("node:crypto").createHash;
