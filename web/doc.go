// Package web is the bottom of HTTP: the server, middleware, limits by a key, rendering, and the hub
// from which streams take the newest state of what they watch. It knows no auction and no person, and
// imports nothing of this module; the routes, which know both, are in handlers.
package web
