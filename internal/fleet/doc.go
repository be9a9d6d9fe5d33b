// Package fleet holds the tests of the programs as they run in production:
// several processes of each, on one database and one broker, stopped and
// started while others work. There is nothing in it but tests.
package fleet
